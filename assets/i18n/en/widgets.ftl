# Area: widgets. Shared by several screens.

# Said by a screen reader for a 24-hour strip. $name is the model's name.
widgets-strip-summary = { $name }, last 24 hours: free { $percent } % of the watched time, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
widgets-strip-empty = { $name }, last 24 hours: no evidence, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
# The quarter hour under the pointer. $word is the word of a family, such as "Full".
widgets-strip-cell = { $from }–{ $to }: { $word }, free { $percent } % of the time, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
widgets-strip-account = { $from }–{ $to }: { $word }, says nothing of the model, { $samples ->
    [one] 1 sample
   *[other] { $samples } samples
}
widgets-strip-gap = { $from }–{ $to }: not watched
widgets-toast-close = Close
