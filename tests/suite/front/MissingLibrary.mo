// compile
// A library that is not there is told once, whatever is wanted of it.
model MissingLibrary
  Plants.Pumps.Pump pump; //~ error[missing-library] there is no library `Plants`
  Plants.Pipes.Pipe pipe;
  Plants.Pumps.Pump spare;
end MissingLibrary;
