"""sent2vec's own things: the layout of its files, its words, its tokens, its hashed n-grams."""
