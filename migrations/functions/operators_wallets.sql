-- No account can get the address of an operator as its wallet.
create or replace function wallet_changes_avoid_operators() returns trigger language plpgsql as $$
begin
  if exists (select from operators where address = new.to_wallet) then
    raise exception 'the address % is the one of an operator', new.to_wallet
      using errcode = 'unique_violation', constraint = 'wallet_changes_operator';
  end if;
  return new;
end $$;
create or replace trigger avoid_operators before insert on wallet_changes
  for each row execute function wallet_changes_avoid_operators();
