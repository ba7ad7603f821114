-- Texts of new accounts, by which the same text of another new account is recognized for a day.

create table newcomer_texts (
  digest bytea not null,
  author_id uuid not null references people (id) on delete cascade,
  posted_at timestamptz not null,
  primary key (digest, author_id)
);
create index newcomer_texts_of_author on newcomer_texts (author_id);
create index newcomer_texts_by_time on newcomer_texts (posted_at);
comment on table newcomer_texts is 'What new accounts posted in the last day. Texts are not stored.';
comment on column newcomer_texts.digest is 'SHA-256 of the words of the text, in lower case and without punctuation.';
