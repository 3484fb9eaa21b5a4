// The words that Modelica keeps for itself.

export const KEYWORDS = new Set(
  `algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif elsewhen
  encapsulated end enumeration equation expandable extends external final flow for function if import impure in initial inner
  input loop model not operator or outer output package parameter partial protected public pure record redeclare replaceable
  return stream then type when while within`.split(/\s+/),
);
