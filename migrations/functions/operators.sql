-- A request can be approved only once.

create or replace function operator_requests_approve_once() returns trigger language plpgsql as $$
begin
  if old.approved_by is not null then raise exception 'this request is already approved'; end if;
  return new;
end $$;
create or replace trigger approve_once before update on operator_requests
  for each row execute function operator_requests_approve_once();
