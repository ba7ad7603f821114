import { queryString } from "./query-string.ts";

/** Addresses of the admin pages. */
export const adminUrls = {
  /** Page on which admins inspect a group. */
  inspectGroup: (id: string, at: { discussion?: string; page?: number; after?: string } = {}) =>
    `/admin/groups/${id}${queryString(at)}`,
  /** Site settings; each setting is an anchor. */
  siteSettings: (at: { search?: string; saved?: string } = {}, key?: string) =>
    `/admin/settings${queryString(at)}${key ? `#${key}` : ""}`,
  /** Watched words; `word` opens the form of one. */
  watchedWords: (at: { word?: string; search?: string; saved?: string } = {}) =>
    `/admin/watched-words${queryString(at)}`,
  /** Domains that members cannot link to, or only with approval. */
  linkDomains: (at: { search?: string; after?: string; saved?: string } = {}) =>
    `/admin/link-domains${queryString(at)}`,
  /** Email domains, email addresses and networks that may not register. */
  blockedAddresses: (at: { search?: string; after?: string; saved?: string } = {}) =>
    `/admin/blocked-addresses${queryString(at)}`,
  /** Profile fields; with `field`, its form is open. */
  profileFields: (at: { field?: string } = {}) => `/admin/profile-fields${queryString(at)}`,
  /** Moderation decisions as a CSV file. */
  decisionsFile: () => "/admin/decisions",
  /** Entries of the audit log as a CSV file, with the filters of its page. */
  auditFile: (at: { by?: string; part?: string | undefined } = {}) => `/admin/audit/file${queryString(at)}`,
  siteRules: () => "/admin/rules",
  reportCategories: () => "/admin/report-categories",
  /** API keys and roles, and data tables. */
  programs: (at: { show?: string } = {}) => `/admin/programs${queryString(at)}`,
  /** Personal access tokens of all members. */
  accessTokens: (at: { after?: string; saved?: string } = {}) => `/admin/tokens${queryString(at)}`,
  webhooks: () => "/admin/webhooks",
  /** One webhook of the site. `delivery`: the entry of its log that is open. */
  webhook: (
    id: string,
    at: { delivery?: string; state?: string; event?: string; after?: string; saved?: string } = {},
  ) => `/admin/webhooks/${id}${queryString(at)}`,
  extensions: () => "/admin/extensions",
  flows: () => "/admin/automations",
  /**
   * One automation. `at`: position of the trigger or step whose form is open; `add` and `kind`: list and
   * kind of a new item.
   */
  flow: (id: string, at: { at?: string; add?: string; kind?: string; saved?: string } = {}) =>
    `/admin/automations/${id}${queryString(at)}`,
  flowRuns: (id: string, at: { after?: string } = {}) => `/admin/automations/${id}/runs${queryString(at)}`,
  flowRun: (id: string, runId: string, at: { from?: string } = {}) =>
    `/admin/automations/${id}/runs/${runId}${queryString(at)}`,
  tables: () => "/admin/data",
  table: (name: string, at: { from?: number | undefined; where?: string | undefined } = {}) =>
    `/admin/data/${encodeURIComponent(name)}${queryString(at)}`,
  /**
   * One record of a table; without `id`, the form for a new one. An id can be any text, so it is a query
   * parameter.
   */
  record: (table: string, at: { id?: string; saved?: string } = {}) =>
    `/admin/data/${encodeURIComponent(table)}/record${queryString(at)}`,
  /** Message channels and scheduled messages; `after` and `waiting` are the cursors of these two lists. */
  channels: (at: { after?: string; waiting?: string } = {}) => `/admin/messages${queryString(at)}`,
  /** List of all accounts, for admins; `who` opens the form of one account. */
  accounts: (at: { search?: string; state?: string; after?: string; who?: string } = {}) =>
    `/admin/people${queryString(at)}`,
  /** Admin overview. */
  overview: () => "/admin",
  /** Failed domain-event handlers and jobs. */
  failures: () => "/admin/failures",
  /** Audit log; `by`: the actor, by username or id. */
  audit: (at: { by?: string; part?: string | undefined; after?: string } = {}) =>
    `/admin/audit${queryString(at)}`,
  /** Mail templates of API clients, or one template; `v.<name>` is the value of a placeholder. */
  mailTemplates: () => "/admin/templates",
  mailTemplate: (id: string, at: { saved?: string; tried?: string; [place: `v.${string}`]: string } = {}) =>
    `/admin/templates/${id}${queryString(at)}`,
  /**
   * Push devices and templates. `template` opens the form of one template; `tried` shows the result of a
   * test.
   */
  push: (at: { template?: string; tried?: string } = {}) => `/admin/push${queryString(at)}`,
  /** Log messages of API clients and browsers. Days have the form `2026-05-04`. */
  logs: (
    at: {
      search?: string;
      logger?: string;
      level?: string;
      from?: string;
      until?: string;
      after?: string;
    } = {},
  ) => `/admin/logs${queryString(at)}`,
  /** Current log messages, for an open page; `search` is the query string of the page's address. */
  logsNow: (search: string) => `/admin/logs/now${search}`,
  /** Files of API clients: a directory, or one file. */
  programFiles: (at: { path?: string; from?: number } = {}) => `/admin/files${queryString(at)}`,
  imports: (at: { after?: string } = {}) => `/admin/imports${queryString(at)}`,
  importRun: (id: string) => `/admin/imports/${id}`,
  importReport: (id: string) => `/admin/imports/${id}/report`,
  /** Searches without results, for admins. */
  searchMisses: () => "/admin/not-found",
} as const;
