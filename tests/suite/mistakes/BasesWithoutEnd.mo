// compile: model=BasesWithoutEnd.A
// Each class inherits twice from the one before: two to the fortieth bases.
package BasesWithoutEnd
  model C0 //~ error[too-large] more than
    Real x = time;
  end C0;
  model C1 extends C0; extends C0; end C1;
  model C2 extends C1; extends C1; end C2;
  model C3 extends C2; extends C2; end C3;
  model C4 extends C3; extends C3; end C4;
  model C5 extends C4; extends C4; end C5;
  model C6 extends C5; extends C5; end C6;
  model C7 extends C6; extends C6; end C7;
  model C8 extends C7; extends C7; end C8;
  model C9 extends C8; extends C8; end C9;
  model C10 extends C9; extends C9; end C10;
  model C11 extends C10; extends C10; end C11;
  model C12 extends C11; extends C11; end C12;
  model C13 extends C12; extends C12; end C13;
  model C14 extends C13; extends C13; end C14;
  model C15 extends C14; extends C14; end C15;
  model C16 extends C15; extends C15; end C16;
  model C17 extends C16; extends C16; end C17;
  model C18 extends C17; extends C17; end C18;
  model C19 extends C18; extends C18; end C19;
  model C20 extends C19; extends C19; end C20;
  model C21 extends C20; extends C20; end C21;
  model C22 extends C21; extends C21; end C22;
  model C23 extends C22; extends C22; end C23;
  model C24 extends C23; extends C23; end C24;
  model C25 extends C24; extends C24; end C25;
  model C26 extends C25; extends C25; end C26;
  model C27 extends C26; extends C26; end C27;
  model C28 extends C27; extends C27; end C28;
  model C29 extends C28; extends C28; end C29;
  model C30 extends C29; extends C29; end C30;
  model C31 extends C30; extends C30; end C31;
  model C32 extends C31; extends C31; end C32;
  model C33 extends C32; extends C32; end C33;
  model C34 extends C33; extends C33; end C34;
  model C35 extends C34; extends C34; end C35;
  model C36 extends C35; extends C35; end C36;
  model C37 extends C36; extends C36; end C37;
  model C38 extends C37; extends C37; end C38;
  model C39 extends C38; extends C38; end C39;
  model A
    extends C39;
  end A;
end BasesWithoutEnd;
