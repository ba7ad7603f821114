-- What whoever began a discussion reads of why others have deleted it. Its lines go with it, as far as its readers are concerned.
alter table discussions add column deleted_reason text not null default '' check (char_length(deleted_reason) <= 300);
