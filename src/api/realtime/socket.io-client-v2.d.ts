/** Types for the parts of the Socket.IO 2 client that tests use. The client itself has no types. */
declare module "socket.io-client-v2" {
  export type LegacySocket = {
    connected: boolean;
    id: string;
    io: { engine: { id: string; write: (packet: string) => void } };
    on: (event: string, listener: (it: never) => void) => LegacySocket;
    once: (event: string, listener: (it: never) => void) => LegacySocket;
    emit: (event: string, packet: unknown) => LegacySocket;
    close: () => LegacySocket;
  };
  export default function io(url: string, options: Record<string, unknown>): LegacySocket;
}
