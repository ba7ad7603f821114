-- In a public group that says so, whoever reads along may answer without joining it.
alter table groups add column replies_by text not null default 'members' check (replies_by in ('members', 'readers'));
