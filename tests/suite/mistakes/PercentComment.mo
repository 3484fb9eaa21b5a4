// compile:
// A comment as MATLAB writes it: one message for the line, and the way to write it.
model PercentComment
  Real y = 1; % a remark of some words //~ error[unexpected-character] `%` does not begin a comment
end PercentComment;
