-- Link domains: texts of members that link to one are refused, or wait for approval.

create table link_domains (
  domain text primary key check (char_length(domain) between 3 and 253),
  action text not null check (action in ('approve', 'block')),
  explanation text not null default '' check (char_length(explanation) <= 300),
  changed_at timestamptz not null,
  changed_by uuid references people (id) on delete set null
);
create index link_domains_changed_by on link_domains (changed_by) where (changed_by is not null);
comment on table link_domains is 'Domains that members cannot link to, or only with approval.';
comment on column link_domains.domain is 'In ASCII (Punycode) and lower case. Domains below it are meant too.';
comment on table watched_words_version is
  'Changes with each change of watched words or link domains. Empty: there are none.';

alter table pending_posts add column approval_reason jsonb;
comment on column pending_posts.approval_reason is 'Why the post waits, unless as the first post of its author.';
comment on column pending_posts.watched_word is 'Of posts that were stored before approval_reason existed.';
