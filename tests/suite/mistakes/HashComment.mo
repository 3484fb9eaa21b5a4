// compile:
// A comment as Python writes it: one message for the line, and the way to write it.
model HashComment
  Real y = 1; # a remark of some words //~ error[unexpected-character] `#` does not begin a comment
end HashComment;
