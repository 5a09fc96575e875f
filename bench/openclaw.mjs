// The scene of scene.go, played by OpenClaw's own functions. One line of JSON
// for each figure: {work, size, ns}; ns is the median of a warm run.
import fs from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";

const dist = path.join(process.env.OPENCLAW_DIR, "dist");

// The package is bundled: a function is found by the file that declares it,
// and among that file's exports by its own name.
async function find(names) {
  const missing = new Set(names), found = {};
  for (const file of fs.readdirSync(dist)) {
    if (!file.endsWith(".js") || missing.size === 0) continue;
    const text = fs.readFileSync(path.join(dist, file), "utf8");
    if (![...missing].some((name) => text.includes(`function ${name}(`))) continue;
    for (const value of Object.values(await import(path.join(dist, file)))) {
      if (typeof value === "function" && missing.delete(value.name)) found[value.name] = value;
    }
  }
  if (missing.size > 0) console.error("this openclaw lacks", [...missing].join(", "));
  return found;
}

const { applyToolPolicyPipeline, buildDefaultToolPolicyPipelineSteps, resolveToolProfilePolicy, listCoreToolSections, buildToolPlan } =
  await find(["applyToolPolicyPipeline", "buildDefaultToolPolicyPipelineSteps", "resolveToolProfilePolicy", "listCoreToolSections", "buildToolPlan"]);

function measure(work, size, run, { seconds = 2, atLeast = 3 } = {}) {
  const end = (from, s) => performance.now() - from > s * 1e3;
  const warm = performance.now();
  let runs = 0;
  do { run(); runs++; } while (!end(warm, seconds / 3));
  const batch = Math.max(1, Math.floor(20 / ((performance.now() - warm) / runs)));
  const times = [], start = performance.now();
  while (times.length < atLeast || !end(start, seconds)) {
    const from = performance.now();
    for (let i = 0; i < batch; i++) run();
    times.push((performance.now() - from) / batch);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ work, size, ns: times[times.length >> 1] * 1e6 }));
}

const verbs = ["get", "list", "create", "update", "delete", "search", "admin_reset", "export", "import", "sync"];
const core = listCoreToolSections().flatMap((section) => section.tools.map((tool) => tool.id));

function scene(n) {
  const tools = core.slice(0, n).map((name) => ({ name, description: name, parameters: {} }));
  const metas = new Map();
  for (let i = 0; tools.length < n; i++) {
    const tool = { name: `srv${Math.floor(i / 50)}__${verbs[i % 10]}_item_${i % 50}`, description: "x", parameters: {} };
    metas.set(tool, { pluginId: "bundle-mcp", optional: false });
    tools.push(tool);
  }
  return { tools, toolMeta: (tool) => metas.get(tool) };
}

function policy(servers) {
  const coding = resolveToolProfilePolicy("coding").allow.map((entry) => (entry === "bundle-mcp" ? servers : entry));
  return [
    ...buildDefaultToolPolicyPipelineSteps({
      profilePolicy: { allow: coding }, profile: "coding",
      providerProfilePolicy: { allow: ["group:fs", "group:runtime", "group:web", "group:memory", "group:sessions", "group:openclaw", servers] }, providerProfile: "wide",
      globalPolicy: { allow: ["group:openclaw", "group:fs", "group:runtime", servers], deny: ["browser", "nodes", "*__delete_*"] },
      globalProviderPolicy: { deny: ["tts", "*__admin_*"] },
      agentPolicy: { deny: ["group:automation", "srv3__*"] }, agentId: "main",
      agentProviderPolicy: { deny: ["image_generate"] },
      groupPolicy: { allow: ["read", "write", "edit", "apply_patch", "exec", "process", "web_*", "sessions_*", "memory_*", "update_plan", servers] },
    }),
    { label: "sandbox tools.allow", policy: {
      allow: ["exec", "process", "read", "write", "edit", "apply_patch", "image", "sessions_*", "subagents", "session_status", "web_*", "memory_*", servers],
      deny: ["browser", "canvas", "nodes", "cron", "gateway"] } },
    { label: "subagent tools.allow", policy: {
      deny: ["gateway", "agents_list", "session_status", "cron", "sessions_send", "subagents", "sessions_list", "sessions_history", "sessions_spawn"] } },
  ];
}

for (const [work, servers, sizes] of [["bundle", "bundle-mcp", [35, 100, 1000]], ["glob", "srv*", [35, 100, 1000, 10000]]]) {
  const steps = policy(servers);
  for (const n of sizes) {
    const { tools, toolMeta } = scene(n);
    measure(work, n, () => applyToolPolicyPipeline({ tools, toolMeta, steps, warn() {}, auditLogLevel: "debug" }), { atLeast: n >= 1000 ? 2 : 3 });
  }
}

const conditions = [
  () => undefined,
  () => ({ kind: "always" }),
  () => ({ allOf: [{ kind: "auth", providerId: "openai" }, { kind: "plugin-enabled", pluginId: "p1" }] }),
  () => ({ anyOf: [{ kind: "env", name: "MISSING" }, { kind: "config", path: ["tools", "web", "enabled"] }, { kind: "context", key: "channel", equals: "slack" }] }),
];
for (const n of [35, 100, 1000, 10000]) {
  const descriptors = scene(n).tools.map(({ name }, i) => ({
    name, title: name, description: "x", inputSchema: {}, owner: { kind: "core" },
    executor: { kind: "core", executorId: name }, availability: conditions[i % 4](),
  }));
  for (let i = n - 1, seed = 12345; i > 0; i--) { // no source is sorted
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const j = Math.floor((seed / 2147483648) * (i + 1));
    [descriptors[i], descriptors[j]] = [descriptors[j], descriptors[i]];
  }
  const availability = {
    authProviderIds: new Set(["openai"]), config: { tools: { web: { enabled: true } } }, env: {},
    enabledPluginIds: new Set(["p1"]), values: { channel: "slack" },
  };
  measure("plan", n, () => buildToolPlan({ descriptors, availability }));
}
process.exit(0);
