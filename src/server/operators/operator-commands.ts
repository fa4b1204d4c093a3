import { address } from '../../protocol/ids.ts'
import { type ActCommand, type Command, type Ops, table, wordAt, wrong } from './command.ts'

async function list({ context, write }: Ops): Promise<undefined> {
  const rows = await context.db.selectFrom('operators').selectAll().orderBy('enrolled_at').execute()
  if (rows.length === 0)
    return void write('There are no operators yet. The first one enrolls itself: npm run ops -- operators enroll')
  const cells = rows.map((row) => [
    row.name,
    row.address,
    row.enrolled_at.toISOString(),
    row.revoked_at?.toISOString() ?? '–',
  ])
  return void write(table(['name', 'address', 'enrolled', 'revoked'], cells))
}

// The database writes the table of operators when it performs these acts (operator_perform).

export const enroll: ActCommand = {
  name: 'operators enroll',
  takes: '<name> <address>',
  summary: 'adds an operator. The first enrolls itself and then the second; later ones need two signatures',
  async prepare(ops) {
    const name = wordAt(ops, 0, 'The name')
    if (!/^[a-z][a-z0-9_-]{1,30}$/.test(name)) throw wrong('A name has 2 to 31 lowercase letters and digits')
    const given = address.safeDecode(wordAt(ops, 1, 'The address'))
    if (!given.success) throw wrong('This is not an address')
    const known = await ops.context.db
      .selectFrom('operators')
      .select(['name', 'address'])
      .where((where) => where.or([where('name', '=', name), where('address', '=', given.data)]))
      .executeTakeFirst()
    if (known) throw wrong(`${known.name} is already an operator, with the key ${known.address}`)
    return { name, address: given.data }
  },
  perform: async (_tx, { act }) => `${act['name']} is now an operator.`,
}

const revoke: ActCommand = {
  name: 'operators revoke',
  takes: '<name>',
  summary: "ends an operator's key, for example when it is lost",
  async prepare(ops) {
    const name = wordAt(ops, 0, 'The name')
    const known = await ops.context.db
      .selectFrom('operators')
      .select('address')
      .where('name', '=', name)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (!known) throw wrong(`There is no operator "${name}"`)
    return { name, address: known.address }
  },
  perform: async (_tx, { act }) => `The key of ${act['name']} is revoked.`,
}

export const operatorCommands: (Command | ActCommand)[] = [
  { name: 'operators', summary: 'the operators and their keys', run: list },
  enroll,
  revoke,
]
