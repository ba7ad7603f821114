import Fastify from "fastify";
import { reportUsage } from "./cpu.ts";

/** Baseline: Fastify with one route and a response of a few bytes. */
const server = Fastify();
server.get("/", async () => "hello, world");
await server.listen({ port: Number(process.env["BENCH_PORT"]), host: "127.0.0.1" });
reportUsage();
