// compile:
// Quotes of a word processor. The help has the plain ones.
model CurlyQuotes
  parameter String s = “hello”; //~ error[unexpected-character] does not begin a string
end CurlyQuotes;
