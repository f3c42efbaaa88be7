// lab: scoring over a reading
export const P = {
  env: { development: 200, sandbox: 200, staging: 400, production: 800 },
  factor: { development: 4500, sandbox: 4000, staging: 5500, production: 10000 },
  weight: { low: 900, moderate: 4300, high: 6300, critical: 8700 },
  classWeight: { internal: {low:0}, simulate:{low:200}, read:{low:300, moderate:3800, high:6000, critical:8500}, transact:{low:500,moderate:1000,high:1500,critical:4000}, write: {low: 900}, communicate:{low:1000,moderate:4000,high:5000,critical:7000}, export:{low:800,moderate:3500,high:5500,critical:8000} },
  pi: 3500,
  share: 3300, other: 1500,
  usd: [[0,0],[10,1500],[100,3300],[300,4300],[1000,5400],[3000,6600],[10000,7200],[100000,8300],[1000000,9100],[10000000,9800]],
  ent: [[0,0],[1,300],[10,1000],[100,3000],[1000,5000],[10000,7000],[100000,8500],[1000000,10000]],
  rec: [[0,0],[1,200],[100,1500],[1000,3000],[10000,5000],[100000,7000],[1000000,8500],[10000000,9500]],
  data: { public: [200,1000], internal: [800,4000], confidential: [1800,7000], restricted: [3200,10000], regulated: [3600,10000] },
  dataVol: 6000, leaves: 3000,
  priv: { unchanged: 0, changed: 2500, prod: 4500 },
  rev: { fully_reversible: 0, mostly_reversible: 2000, partially_reversible: 4500, difficult_to_reverse: 7000, irreversible: 10000 },
  entEffect: { read: 1500, simulate: 0, internal: 0, export: 4000, communicate: 9000, write: 6000, transact: 5000, deploy:3000, configure:3000, access: 8000 },
  dataEffect: { internal: 0, simulate: 2000, transact: 3000, deploy: 3000, configure: 3000, write: 4000, access: 4000, delete: 6000, communicate: 8000 , actuate: 2000, execute:5000},
  extEnt: { single: 1, list: 5, bulk: 500, everything: 20000 },
  extRec: { single: 1, list: 25, bulk: 1000, everything: 50000 },
  usdRef: { low: 30, moderate: 300, high: 10000, critical: 1000000 },
  revRef: { internal: 0, simulate: 0, read: 0, write: 1, configure: 1, deploy: 1, communicate: 2, export: 3, transact: 3, access: 1, delete: 3, destroy: 4, execute: 3, actuate: 3, unknown: 2 },
  floor: { export: 2, communicate: 2, destroy: 2, delete: 1, transact: 1 },
}
const REV = ["fully_reversible","mostly_reversible","partially_reversible","difficult_to_reverse","irreversible"]
const DC = ["public","internal","confidential","restricted","regulated"]
const nor = (p,q)=>10000-Math.floor((10000-p)*(10000-q)/10000)
const t = (p,q)=>Math.ceil(p*q/10000)
const interp=(a,x)=>{ if(x<=a[0][0])return a[0][1]; for(let i=1;i<a.length;i++){ if(x<=a[i][0]) return a[i-1][1]+Math.ceil((a[i][1]-a[i-1][1])*(x-a[i-1][0])/(a[i][0]-a[i-1][0])) } return a.at(-1)[1] }
export function scoreOf(r, q, fx, p = P) {
  const c = r.class
  const env = r.environment, prod = env === "production"
  const envEff = r.anywhere ? "production" : env
  const harmless = ["internal","simulate","read"].includes(c)
  const rank = ["low","moderate","high","critical"].indexOf(r.impact)
  const piRef = prod && !harmless && ((["deploy","configure","execute","actuate","unknown"].includes(c) && rank>=2) || (["delete","destroy"].includes(c) && rank>=2))
  let ent = q.entities_affected, rec = q.records_affected
  const ext = r.extent
  if (ent === undefined) ent = rec !== undefined && !harmless && c !== "export" ? Math.min(rec, 1e9) : p.extEnt[ext]
  if (rec === undefined) rec = c === "export" ? Math.max(1000, p.extRec[ext]) : p.extRec[ext]
  let dc = q.data_classification && q.data_classification !== "unknown" ? q.data_classification : r.holds
  if (!(q.data_classification && q.data_classification !== "unknown") && (ext === "bulk" || ext === "everything" || c === "export") && !["internal","simulate"].includes(c) && dc==="internal" ) dc = "confidential"
  let rev = q.reversibility && q.reversibility !== "unknown" ? REV.indexOf(q.reversibility) : r.reversibility ? REV.indexOf(r.reversibility) : (r.soft || (c === "delete" && r.impact === "low")) ? 1 : p.revRef[c]
  rev = REV[Math.max(rev, p.floor[c] ?? 0)]
  const pi = q.production_impact ?? piRef
  const usdStated = q.financial_value !== undefined
  const usd = usdStated ? q.financial_value * (fx[q.currency ?? "USD"] ?? 1) : c === "transact" ? p.usdRef[r.impact] : 0
  const privc = c === "access" || (q.privilege_change ?? false)
  const w = p.classWeight[c]?.[r.impact] ?? p.weight[r.impact]
  const f = p.factor[envEff]
  let op = nor(p.env[env], t(w, f)); if (pi && !harmless) op = nor(op, t(p.pi, f))
  const [base, sens] = p.data[dc]
  let data = nor(base, t(t(p.dataVol, interp(p.rec, rec)), sens)); if (c==="export"||c==="communicate") data = nor(data, t(p.leaves, sens))
  data = t(t(data, p.dataEffect[c] ?? 10000), prod||r.anywhere ? 10000 : 7000)
  const fin = t(interp(p.usd, usd), prod || !usdStated && false ? 10000 : { development: 3500, sandbox: 3500, staging: 5000, production: 10000 }[env])
  const entd = t(t(interp(p.ent, ent), p.entEffect[c] ?? 10000), f)
  let priv = privc ? nor(prod ? p.priv.prod : p.priv.changed, 0) : p.priv.unchanged
  if (c === "access" && r.impact === "low") priv = t(priv, 3000); else if (c==="access" && r.impact==="moderate") priv = t(priv, 8000)
  const dims = [op, data, fin, entd, priv].sort((a,b)=>b-a)
  let I = 0; dims.forEach((d,i)=>{ I = nor(I, i===0 ? d : t(p.other, d)) })
  const B = nor(I, t(t(p.share, p.rev[rev]), I))
  return { score: Math.max(1, Math.ceil(B/100)), dims: { op, data, fin, ent: entd, priv }, rev }
}
