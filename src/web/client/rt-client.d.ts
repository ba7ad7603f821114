/** Types of the official real-time client, limited to what is used here; the package has no types. */
declare module "backendless-rt-client" {
  type Listener = {
    onData?: (data: never) => void;
    onError?: (error: { code: number; message: string }) => void;
    onReady?: () => void;
  };
  type Subscribe = (options: object, listener: Listener) => { stop: () => void };
  type SocketConfig = {
    url: string;
    options: {
      query: Record<string, unknown>;
      auth?: Record<string, unknown>;
      transports?: ("polling" | "websocket")[];
      tryAllTransports?: boolean;
    };
  };

  export default class RTClient {
    constructor(config: {
      appId: string;
      connectQuery: () => Record<string, unknown>;
      hostResolver: () => string;
      socketConfigTransform: (config: SocketConfig) => Promise<SocketConfig>;
    });
    subscriptions: {
      onObjectsChanges: Subscribe;
      connectToPubSub: Subscribe;
      onPubSubMessage: Subscribe;
      onPubSubCommand: Subscribe;
      onPubSubUserStatus: Subscribe;
      onLoggingMessages: Subscribe;
      onConsoleMessages: Subscribe;
      onDeveloperMessage: Subscribe;
      onAutomationLoggingMessages: Subscribe;
    };
    methods: { sendPubSubCommand: (options: object) => Promise<unknown> };
    connect(): void;
    disconnect(): void;
    terminate(): void;
    addConnectEventListener(listener: () => void): void;
    addDisconnectEventListener(listener: () => void): void;
  }
}
