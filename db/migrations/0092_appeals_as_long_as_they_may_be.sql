-- Whoever appeals has two thousand characters; reports, among which appeals stand, kept one.
alter table reports
  drop constraint reports_reason_check,
  add constraint reports_reason_check check (char_length(reason) between 1 and 2000);
