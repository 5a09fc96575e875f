package dispatch

// order is the path of every call, outermost first. It is the only place that
// knows the order.
func (d *Dispatcher) order() []step {
	return []step{
		d.record,    // tell the observer what became of the call
		d.bound,     // no result grows past what a model can read
		d.settle,    // a panic, an error, nothing at all: always one result
		d.repair,    // a name that the model bent is the one that it can only mean
		d.admit,     // the caller's plan shows the tool, or the call is refused
		d.owner,     // an owner's tool is called by the owner
		d.arguments, // the arguments are complete JSON and fit the tool's own schema, or can only mean what does
		d.approval,  // a person agrees, where the config says that one is asked
	}
}
