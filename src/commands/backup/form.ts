import { z } from "zod";

/** The first file of a backup says what it is. Beside it lie `cluster/`, where the database is Kith's own, and what else the data folder has. */
export const MANIFEST = "kith-backup.json";
export const CLUSTER = "cluster";

/** `postgresql`: the major version whose files the cluster has; null where the database is elsewhere and not part of it. */
export const Manifest = z.object({ form: z.literal(1), madeAt: z.iso.datetime(), kith: z.string(), postgresql: z.int().nullable() });
export type Manifest = z.output<typeof Manifest>;

/** Such as kith-20261126T130500Z.zip: in the order of their names they are in that of their days. */
export const nameOf = (madeAt: Date) => `kith-${madeAt.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
export const NAME = /^kith-\d{8}T\d{6}Z\.zip$/;
