import { runAsOwner } from './database.ts'

/**
 * Makes a test database refuse a transaction that locks an account after one with a higher id (R3). A wrong order is then
 * an error every time, not a deadlock once in a while. It remembers the accounts in a setting of the transaction.
 */
export const refuseWrongLockOrder = (ownerUrl: string): Promise<void> => runAsOwner(ownerUrl, WATCH)

const WATCH = `
  create function test_take_accounts(wanted bigint[]) returns void language plpgsql as $$
  declare
    held bigint[] := coalesce(nullif(current_setting('test.accounts', true), ''), '{}')::bigint[];
    first bigint := (select min(id) from unnest(wanted) as id where id <> all (held));
    highest bigint := (select max(id) from unnest(held) as id);
  begin
    if first < highest then
      raise exception '% is locked after %', ledger_account_name(first), ledger_account_name(highest);
    end if;
    perform set_config('test.accounts', (select array_agg(id) from unnest(held || wanted) as id)::text, true);
  end $$;

  create function test_take_updated() returns trigger language plpgsql as $$
  begin
    perform test_take_accounts(array[old.id]);
    return new;
  end $$;
  create trigger test_take before update on ledger_accounts for each row execute function test_take_updated();

  alter function ledger_lock rename to test_ledger_lock;
  create function ledger_lock(accounts bigint[]) returns table (id bigint, balance bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    perform test_take_accounts(accounts);
    return query select * from test_ledger_lock(accounts);
  end $$;
  grant execute on function ledger_lock to wellplay_app`
