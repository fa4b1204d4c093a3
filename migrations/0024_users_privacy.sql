-- A user's figures are hidden from their upline until they choose to show them. Nobody chose to show them so far: that
-- was only the default.

alter table users alter column hides_figures set default true;
update users set hides_figures = true where not hides_figures;
