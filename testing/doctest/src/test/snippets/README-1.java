// run: it is the whole program
// prints: paid: receipt 1
// snippet
