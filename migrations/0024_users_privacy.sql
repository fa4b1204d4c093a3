-- A user's figures are hidden from their upline until they choose to show them. Whoever shows them today has mostly kept
-- the old default, so everybody starts hidden and can show them again.

alter table users alter column hides_figures set default true;
update users set hides_figures = true where not hides_figures;
