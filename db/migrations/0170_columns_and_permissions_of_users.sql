-- Relations that programs add to a table that the community publishes (Users), and permissions of its objects, belong to a row here.
-- Its records lie elsewhere: no table of `sql_name` exists in the schema `data`.
alter table data_tables add column published boolean not null default false;
