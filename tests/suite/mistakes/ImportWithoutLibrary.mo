// compile:
// What: the library is not there. Where: the import. Way out: `--lib` or `kairos install`. The name itself is not blamed on the user's spelling.
model ImportWithoutLibrary "A constant is imported from a library that is not there"
  import NoSuchLibrary.Constants.pi; //~ error[missing-library] there is no library `NoSuchLibrary`
  Real x = pi; //~ error[unknown-name] no variable `pi`
end ImportWithoutLibrary;
