model UnclosedComment
  Real x;
end UnclosedComment;
// next: error[unclosed-comment]
/* a comment /* that * never ends
