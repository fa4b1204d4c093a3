/** A table, how to make a row of an age, and two ages around the limit of its retention. */
export type OldRow = [string, (age: string) => string, string, string]

/** The tables of news. `user` is the number of a user who exists when the rows are made. */
export const oldNews = (user: () => number): OldRow[] => [
  [
    'news',
    (age) =>
      `insert into news (user_number, id, kind, key, facts, created_at) values (${user()}, new_id(), 'support_answered', '${age}', '{}', now() - interval '${age}')`,
    '179 days',
    '181 days',
  ],
  [
    'news_email_codes',
    (age) =>
      `insert into news_email_codes (id, user_number, address, asked_at) values (new_id(), ${user()}, 'a@example.com', now() - interval '${age}')`,
    '47 hours',
    '49 hours',
  ],
  [
    'news_chat_codes',
    (age) =>
      `insert into news_chat_codes (code_hash, user_number, asked_at) values ('${age}', ${user()}, now() - interval '${age}')`,
    '47 hours',
    '49 hours',
  ],
  [
    'news_deliveries',
    (age) => `with told as (insert into news (user_number, id, kind, key, facts)
      values (${user()}, new_id(), 'support_answered', 'delivered ${age}', '{}') returning id)
      insert into news_deliveries (id, user_number, news_id, channel, created_at)
      select new_id(), ${user()}, id, 'email', now() - interval '${age}' from told`,
    '29 days',
    '31 days',
  ],
]
