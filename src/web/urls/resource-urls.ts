import { queryString } from "./query-string.ts";

/** Addresses of the library. */
export const resourceUrls = {
  resources: (
    at: {
      kind?: string;
      tag?: string;
      group?: string;
      collection?: string;
      owner?: string;
      language?: string;
      year?: number;
      dead?: string;
      mine?: string;
      search?: string;
      sort?: string;
      after?: string;
    } = {},
  ) => `/resources${queryString(at)}`,
  newResource: (at: { kind?: string; group?: string; post?: string | undefined } = {}) =>
    `/resources/new${queryString(at)}`,
  /** Adds files; `files` are those already uploaded. */
  newFiles: (at: { group?: string; files?: string } = {}) => `/resources/new/files${queryString(at)}`,
  /** `after` and `post` choose the comments: those after one, or those around it. */
  /** `page`: a page of the file, shown as text. */
  resource: (
    id: string,
    at: { page?: number; after?: number; post?: number | undefined; plain?: string } = {},
  ) => `/resources/${id}${queryString(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /** Current comments, for an open page; `read` when the reader is at the end. */
  resourceNow: (id: string, at: { after?: number | undefined; read?: number | undefined } = {}) =>
    `/resources/${id}/now${queryString(at)}`,
  newCollection: (at: { group?: string } = {}) => `/resources/collections/new${queryString(at)}`,
  /** Page where a collection is edited; the library is where it is read. */
  collection: (id: string) => `/resources/collections/${id}`,
  replaceFile: (id: string) => `/resources/${id}/file`,
  editResource: (id: string) => `/resources/${id}/edit`,
  /** Earlier versions; with `version`, one of them. */
  resourceVersions: (id: string, at: { version?: number; after?: string } = {}) =>
    `/resources/${id}/versions${queryString(at)}`,
} as const;
