//! Properties of the machine.
