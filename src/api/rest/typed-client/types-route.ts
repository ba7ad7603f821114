import { z } from "zod";
import { listTables } from "#baas/data";
import { API_ENTITIES } from "#community/api-entities";
import { defineEndpoint } from "../endpoint.ts";
import { RESPONSE_SENT, type Call } from "../rest-route.ts";
import { type DescribedTable, writeClientTypes } from "./client-types.ts";

/** Lists the entities of the community, which are public, without the columns that operators have added. */
const listEntities = (): DescribedTable[] =>
  API_ENTITIES.map(({ name, about, columns, relations }) => ({
    name,
    about,
    columns: columns.map((column) => ({ name: column.name, dataType: column.type })),
    relations: relations.map(({ name: relation, toTable, kind }) => ({
      name: relation,
      toTable,
      relationshipType: kind,
    })),
  }));

async function describeTables({ app, caller }: Pick<Call, "app" | "caller">): Promise<DescribedTable[]> {
  if (caller.key !== "server") return listEntities();
  const about = new Map(API_ENTITIES.map((entity) => [entity.name, entity.about]));
  return (await listTables(app.tables)).map((table) => ({
    ...table,
    ...(about.has(table.name) && { about: about.get(table.name)! }),
  }));
}

/** Endpoint for TypeScript types, which are generated from the tables and services of this site. */
export const typesEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/types.ts",
    summary: "Returns TypeScript types of entities and services; with the server key also of data tables.",
    forGuests: true,
    response: z.undefined().meta({ contentType: "text/plain", description: "A TypeScript module." }),
    async handle({ app, caller, reply }) {
      const tables = await describeTables({ app, caller });
      await reply.type("text/plain; charset=utf-8").send(writeClientTypes(tables, app.services.all()));
      return RESPONSE_SENT;
    },
  }),
];
