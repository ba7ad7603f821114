-- What somebody has changed today of their discussions is counted before they change more.
create index discussion_lines_of_person on discussion_lines (by_id, at);
