// Package arguments makes of the text that a model wrote the arguments that a
// tool gets: it reads the text, mends what is certain, changes scalars to the
// types that the schema asks for, and checks the outcome against the tool's
// own schema.
//
// Text that fits as it is passes untouched, at the cost of one look at it.
// What is mended: characters before and after the object, quotation marks of
// print, HTML entities of the models that write them, and, unless it is done
// as OpenClaw does, a sentence or a half repetition behind the object and
// backslashes that begin no escape.
//
// It refuses, with an error that a model can act on, text that ends early,
// text with more than one meaning, and everything that the schema does not
// accept. It never makes an empty object of a text that cannot be read, and it
// never writes words of its own into arguments.
package arguments
