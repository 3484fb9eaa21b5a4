// compile:
// A name that models import. The help has the import.
model NoImport
  SI.Voltage v = 1; //~ error[missing-library] no library `SI`
end NoImport;
