import Fastify from "fastify";
import { reportUsage } from "./cpu.ts";

/** Baseline: the same Fastify, one route, a few bytes. */
const server = Fastify();
server.get("/", async () => "hello, world");
await server.listen({ port: Number(process.env["BENCH_PORT"]), host: "127.0.0.1" });
reportUsage();
