-- Two operators credit a payment from an unknown sender to a user who proved that it is theirs.
insert into operator_act_kinds values ('deposits credit', 2);
