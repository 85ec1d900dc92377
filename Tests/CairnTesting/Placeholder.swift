// Shared workshop of the tests
