// run: it is the whole program
// prints: charging 10
// prints: Executed
// prints: Replayed
// prints: Mismatch
// snippet
