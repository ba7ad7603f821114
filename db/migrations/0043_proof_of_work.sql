-- Proof of work: forms of guests can require a small computation, which counts once.

create table used_proofs (
  nonce bytea primary key,
  expires_at timestamptz not null
);
create index used_proofs_by_expiry on used_proofs (expires_at);
comment on table used_proofs is 'Proofs of work that were used, until their challenge expires.';

alter table people add column needs_approval boolean not null default false;
comment on column people.needs_approval is
  'Registered without the required proof of work: the account waits for approval once it is confirmed.';
