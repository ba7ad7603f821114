import type { z } from "zod";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../setup/test-database.ts";
import {
  addDocument,
  editResource,
  NewDocument,
  recordUpload,
  ResourceChange,
} from "../../../src/community/resources/index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
export const NOT_ALLOWED_ERROR = { reason: "not-allowed" };

export const addTestDocument = (by: SignedIn, groupId?: string) =>
  within((tx) =>
    addDocument(tx, by, NewDocument.parse({ title: "Watering", body: "Twice a week.", groupId })),
  );
type EditInput = Partial<z.input<typeof ResourceChange>>;
export const editAs = (by: SignedIn, resourceId: string, changes: number, editInput: EditInput) =>
  within((tx) => editResource(tx, by, ResourceChange.parse({ resourceId, changes, ...editInput })));
export const addTestUpload = (by: SignedIn, letter: string, mime = "application/pdf") =>
  within((tx) => recordUpload(tx, by, { hash: letter.repeat(64), size: 9, mime, fileName: `${letter}.pdf` }));
