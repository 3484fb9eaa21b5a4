model SelectiveExtension
  extends Circuit(break resistor, break connect(resistor.p, source.n[1]), x(start = 1), y = break);
end SelectiveExtension;

final model Second
end Second;
