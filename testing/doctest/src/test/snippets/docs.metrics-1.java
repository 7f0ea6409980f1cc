// snippet
