/** What Kubernetes calls actions, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("the verbs of Kubernetes and kubectl", () => {
  readsAs(`
k8s.pods.get                           | pod.get                         | read single
kubernetes.pods.list                   | pods.list                       | read bulk
kubectl.get                            | cluster_resource.get            | read open      | data store
kubectl get                            | cluster_resource.get            | read open      | data store
kubectl describe                       | resource.describe               | read open
kubectl logs                           | pod_logs.get                    | read open
kubectl.delete                         | cluster_resource.destroy        | destroy open   | data store
kubectl delete                         | cluster_resource.destroy        | destroy open   | data store
k8s.pods.delete                        | pod.delete                      | delete single
k8s.pods.deletecollection              | pods.delete                     | delete bulk
k8s.deployments.create                 | workload.deploy                 | deploy open
k8s.deployments.update                 | workload_update.deploy          | deploy open
k8s.deployments.delete                 | deployment.destroy              | destroy open
k8s.deployments.scale                  | workload.scale                  | configure open
k8s.namespaces.delete                  | namespace.destroy               | destroy open   | data store
kubectl delete namespace               | namespace.destroy               | destroy open   | data store
k8s.namespaces.create                  | namespace.create                | write single
k8s.secrets.get                        | secret.get                      | read single    | credential
k8s.secrets.list                       | secret_values.list              | read bulk      | credential
k8s.secrets.create                     | secret.create                   | access single  | credential
k8s.secrets.delete                     | secret.delete                   | delete single
k8s.configmaps.update                  | configmap.update                | write single
k8s.nodes.drain                        | cluster_node.drain              | configure open | data store
kubectl drain                          | cluster_node.drain              | configure open | data store
kubectl cordon                         | cluster_node.cordon             | configure open | data store
kubectl uncordon                       | cluster_node.uncordon           | configure open | data store
kubectl taint                          | cluster_node.taint              | configure open | data store
k8s.nodes.delete                       | cluster_node.destroy            | destroy open   | data store
k8s.persistentvolumes.delete           | persistent_volume.destroy       | destroy open   | data store
k8s.persistentvolumeclaims.delete      | volume_claim.destroy            | destroy open   | data store
k8s.statefulsets.delete                | statefulset.destroy             | destroy open   | data store
k8s.customresourcedefinitions.delete   | resource_definition.destroy     | destroy open   | data store
kubectl apply                          | manifest.deploy                 | deploy open
kubectl create                         | manifest.install                | deploy open
kubectl exec                           | pod_command.exec                | execute open
k8s.pods.exec                          | pod_command.exec                | execute open
kubectl scale                          | workload.scale                  | configure open
kubectl autoscale                      | workload.autoscale              | configure open
kubectl rollout restart                | workload.redeploy               | deploy open
kubectl rollout undo                   | workload.rollback               | deploy open
kubectl rollout status                 | rollout_status.get              | read single
kubectl port-forward                   | pod_port.tunnel                 | configure open
kubectl patch                          | resource.configure              | configure open
kubectl edit                           | resource.reconfigure            | configure open
kubectl label                          | resource.label                  | write open
kubectl annotate                       | resource.annotate               | write open
k8s.clusterrolebindings.create         | cluster_role.bind               | access single  | data store
k8s.rolebindings.delete                | role_binding.delete             | delete single
k8s.clusterroles.escalate              | cluster_role.elevate            | access single  | data store
k8s.users.impersonate                  | cluster_user.impersonate        | access single  | data store
k8s.serviceaccounts.create             | service_account.grant           | access single
k8s.certificatesigningrequests.approve | client_certificate.authorize    | access single  | credential
k8s.networkpolicies.update             | network_policy.configure        | configure open
k8s.ingresses.create                   | ingress_route.deploy            | deploy open
k8s.jobs.create                        | batch_workload.run              | execute bulk
kubernetes.cluster.delete              | cluster.destroy                 | destroy open   | data store
k8s.widgets.delete                     | widgets.delete                  | delete bulk
k8s.widgets.frobnicate                 | widgets_frobnicate.unclassified | unknown bulk
rolebindings.create                    | rolebindings.create             | access bulk
clusterrolebindings.create             | clusterrolebindings.create      | access bulk
clusterroles.update                    | clusterroles.update             | access bulk
kubectl delete namespace X             | namespace_x.delete              | destroy open
`)
})
