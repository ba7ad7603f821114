-- Access tokens can be limited to groups of their person.

alter table access_tokens add column group_ids uuid[] check (cardinality(group_ids) between 1 and 50);
comment on column access_tokens.group_ids is 'Groups that the token is limited to; null for all.';
