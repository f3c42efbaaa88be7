/** Shell commands as action types, and how they are read. */

import { describe } from "vitest"
import { readsAs } from "../../../support/readsAs.ts"

describe("shell commands", () => {
  readsAs(`
shell.ls            | directory.list              | read bulk
ls                  | directory.list              | read bulk
ls -la              | la.list                     | read bulk
shell.cat           | file.cat                    | read single
cat                 | file.cat                    | read single
shell.rm            | file_paths.remove           | delete open
rm                  | file_paths.remove           | delete open
rm -rf              | directory_tree.destroy      | destroy bulk
rm -rf /var/data    | rf_var_data.remove          | destroy bulk
shell.mv            | file_paths.move             | write open
shell.cp            | file_paths.copy             | write open
shell.mkdir         | directory.create            | write single
shell.chmod         | file_mode.chmod             | access open
chmod 777           | 777.chmod                   | access open
chown               | file_owner.chown            | access open
sudo                | root_command.sudo           | execute open     | admin
sudo rm             | other.remove                | delete open      | admin
shell.kill          | process.kill                | destroy open
kill -9             | process.kill                | destroy open
mkfs                | filesystem.mkfs             | destroy open     | data store
dd                  | disk.dd                     | destroy open     | data store
shred               | file_content.shred          | destroy bulk
curl                | web_request.curl            | export open
wget                | web_request.wget            | export open
scp                 | files.scp                   | export bulk
rsync               | files.rsync                 | export bulk
ssh                 | remote_session.ssh          | execute open
git status          | working_tree.check          | read single
git commit          | local_commit.commit         | write single
git push            | remote_branch.push          | communicate open
git push --force    | remote_history.overwrite    | delete bulk
git clone           | repository.clone            | write open
git merge           | local_branch.merge          | write open
git reset --hard    | working_changes.destroy     | destroy bulk
npm install         | node_packages.install       | deploy bulk
npm run             | node_script.run             | execute open
npm publish         | node_package.ship           | deploy open
pip install         | python_package.install      | deploy open
pip uninstall       | python_package.uninstall    | destroy open
apt-get install     | system_package.install      | deploy open
apt-get remove      | system_package.uninstall    | destroy open
systemctl restart   | system_service.restart      | configure open
systemctl stop      | system_service.stop         | configure open
docker run          | container.run               | execute open
docker rm           | container.destroy           | destroy open
docker build        | ci_build.run                | execute open
docker ps           | containers.list             | read bulk
docker system prune | docker_objects.destroy      | destroy bulk     | data store
terraform plan      | infrastructure_plan.preview | read single
terraform apply     | infrastructure.deploy       | deploy open
terraform destroy   | infrastructure.destroy      | destroy bulk
helm install        | helm_release.install        | deploy open
helm uninstall      | helm_release.uninstall      | destroy open
ansible-playbook    | playbook.deploy             | deploy open
python              | python_code.run             | execute open
bash                | shell_script.bash           | execute open
bash -c             | c.bash                      | execute open
powershell          | powershell_command.run      | execute open
crontab             | timed_commands.run          | execute bulk
iptables            | packet_filter.set           | configure open
reboot              | machine.reboot              | configure open
shutdown            | machine.shutdown            | configure open
passwd              | system_password.passwd      | access single    | credential
useradd             | system_account.useradd      | access single
env                 | environment_variables.show  | read bulk        | credential
whoami              | current_user.get            | read single
ps                  | processes.list              | read bulk
grep                | file_lines.grep             | read bulk
find                | files.find                  | read bulk
pytest              | python_tests.run            | execute bulk
make                | make_target.run             | execute open
shell.frobnicate    | frobnicate.shell            | execute open
bash.get            | other.bash                  | execute open
git filter-branch   | remote_history.overwrite    | delete bulk
git filter-branch --tree-filter x HEAD | tree_filter_x_head.filterbranch | delete open
docker compose down | container_services.destroy  | destroy bulk
docker compose down -v | down_v.compose              | destroy open
git push -f         | f.push                      | delete open
git push origin +main | origin_force_main.push      | delete open
git push origin main | origin_main.push            | communicate open
aws s3 sync         | s3_files.export             | export bulk      | data store
edit_crontab        | crontab.edit                | configure open
authorized_keys.append | authorized_keys.append      | access bulk      | credential
gcloud projects delete | cloud_project.destroy       | destroy open     | data store
`)
})
