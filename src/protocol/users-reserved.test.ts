import { expect, test } from 'vitest'
import { refuseUsername } from './users-reserved.ts'

test.each([
  ['admin', 'adm1n', '4dm1n', 'a_d_m_i_n', 'aadmiin', '_admin_', 'adrnin', 'aclmin', 'admln', 'admins'],
  ['admin_anna', 'anna_admin', 'the_0perator', 'support_24', 'team__wellplay'],
  ['support', 'supp0rt', '5upport', 'suport', 'supportteam', 'support24', '24support', 'helpdesk1'],
  ['operator', '0perat0r', 'oper_ator', 'moderator', 'official', 'offlclal', 'sy5tem', 'root', 'r00t', 'staff'],
  ['wellplay', 'we11play', 'wel_play', 'vvellplay', 'my_wellplay', 'wellplaypayouts', 'xxwe11p1ayxx', 'wellp1ay_help'],
])('%s and names that look like it are reserved', (...names) => {
  for (const name of names)
    expect(refuseUsername(name)?.message, name).toBe('This name could be mistaken for our team. Choose another one.')
})

test('names that only contain a reserved word are free', () => {
  for (const name of [
    'badminton',
    'supporter_of_green',
    'river_otter',
    'teamwork',
    'rooted',
    'modern_art',
    'user_0a1b2c',
  ])
    expect(refuseUsername(name), name).toBeUndefined()
})
