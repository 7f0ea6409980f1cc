-- No constraint here prevents a second charge of an order: Semel does that.
CREATE TABLE IF NOT EXISTS charge (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL,
  order_id text NOT NULL,
  amount bigint NOT NULL
);

CREATE TABLE IF NOT EXISTS ledger (
  charge_id bigint NOT NULL,
  amount bigint NOT NULL
);
