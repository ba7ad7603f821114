-- Pictures and files of reported content stay available to the readers of its case, even if the author deletes them.

create table report_files (
  id uuid primary key,
  report_id uuid references reports (id) on delete set null,
  seq integer not null,
  place integer not null,
  hash text not null,
  size bigint not null,
  mime text not null,
  file_name text not null,
  width integer,
  height integer,
  alt text not null
);
create index report_files_of_report on report_files (report_id, seq, place);
create index report_files_by_hash on report_files (hash);
comment on table report_files is
  'Pictures and files of reported content, as they were when it was reported. They keep the stored bytes.';
comment on column report_files.report_id is 'Null: the report was deleted, so the file is deleted by the next purge.';
comment on column report_files.seq is 'The reported text of the report that the file belongs to.';
comment on column report_files.place is 'Order within the text.';
comment on column report_files.hash is 'SHA-256 of the bytes: their name in storage.';
