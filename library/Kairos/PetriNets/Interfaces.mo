within Kairos.PetriNets;
package Interfaces "Connectors of places and transitions"
  connector PlaceOut "Where tokens leave a place"
    output Boolean available "There is a token to take";
    input Boolean take "The transition takes it";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Place side of an arc from a place to a transition.</p></html>"));
  end PlaceOut;
  connector TransitionIn "Where a transition takes tokens"
    input Boolean available "There is a token to take";
    output Boolean take "The transition takes it";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid)}),
      Documentation(
        info="<html><p>Transition side of an arc from a place to a transition.</p></html>"));
  end TransitionIn;
  connector TransitionOut "Where a transition puts tokens"
    input Boolean room "There is room for a token";
    output Boolean put "The transition puts it";
    annotation(
      Icon(graphics={Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid)}),
      Documentation(
        info="<html><p>Transition side of an arc from a transition to a place.</p></html>"));
  end TransitionOut;
  connector PlaceIn "Where tokens enter a place"
    output Boolean room "There is room for a token";
    input Boolean put "The transition puts it";
    annotation(
      Icon(graphics={Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
      Documentation(info="<html><p>Place side of an arc from a transition to a place.</p></html>"));
  end PlaceIn;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={80, 80, 80}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>An arc from a place to a transition connects PlaceOut with TransitionIn, one from a transition to a place TransitionOut with PlaceIn.</p></html>"));
end Interfaces;
