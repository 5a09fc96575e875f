package policy

// Dialect gives the dialect that the pipeline was compiled for.
func (p *Pipeline) Dialect() Dialect { return p.dialect }
