//! The rules as examples.

use super::*;
