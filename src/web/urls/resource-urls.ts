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
  /** `returned`: id of the viewer's own returned resource, from which the form is filled in. */
  newResource: (
    at: { kind?: string; group?: string | undefined; post?: string | undefined; returned?: string } = {},
  ) => `/resources/new${queryString(at)}`,
  /** Form for new files; `files` are the ids of those already uploaded. */
  newFiles: (at: { group?: string | undefined; files?: string } = {}) =>
    `/resources/new/files${queryString(at)}`,
  /**
   * `after` and `post` choose the comments on the page: those after one comment, or those around one.
   * `page`: page of the file whose text is shown.
   */
  resource: (
    id: string,
    at: { page?: number; after?: number; post?: number | undefined; plain?: string } = {},
  ) => `/resources/${id}${queryString(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /** Current comments, for an open page; `read` is set if its reader is at the end. */
  resourceNow: (id: string, at: { after?: number | undefined; read?: number | undefined } = {}) =>
    `/resources/${id}/now${queryString(at)}`,
  newCollection: (at: { group?: string } = {}) => `/resources/collections/new${queryString(at)}`,
  /** Page on which a collection is edited. Readers see it in the library. */
  collection: (id: string) => `/resources/collections/${id}`,
  replaceFile: (id: string) => `/resources/${id}/file`,
  editResource: (id: string) => `/resources/${id}/edit`,
  /** Earlier versions of a resource; with `version`, one of them. */
  resourceVersions: (id: string, at: { version?: number; after?: string } = {}) =>
    `/resources/${id}/versions${queryString(at)}`,
} as const;
