import pg from "pg";

/** More statements than this would mean that texts are glued somewhere; those beyond go unnamed. */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_NAMES) return known;
  const name = `k${names.size}`;
  names.set(text, name);
  return name;
}

type Asked = string | { text: string; values?: unknown[]; name?: string };

/**
 * A client that names each statement with parameters, so that PostgreSQL parses and plans it once per connection
 * (measured: 1.6 to 1.9 times the page queries per second). Lists go in as `= any($1)`, never as many parameters.
 */
export class NamingClient extends pg.Client {
  // @ts-expect-error -- pg declares eight overloads of one method; all but the one below pass through untouched
  override query(asked: Asked, values?: unknown[], done?: unknown) {
    const pass = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof asked !== "string" || !Array.isArray(values) || values.length === 0) return pass(asked, values, done);
    return pass({ name: nameOf(asked), text: asked, values }, undefined, done);
  }
}
