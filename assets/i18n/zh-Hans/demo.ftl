# Area: demo

demo-serve-title = 本机回环服务已启动。各接口的基础地址：
demo-serve-models = 由模型名决定如何应答；其他名字同样可用，也可写作“名字@场景”：
demo-serve-hint =
    包含全部场景的设置文件：vacancy demo --settings --port { $port }
    运行期间可改变某个模型的应答：curl -X PUT http://127.0.0.1:{ $port }/loopback/MODEL/SCENARIO
    按 Ctrl+C 结束。

demo-folder = 无法在 { $path } 准备演示：{ $reason }。请在那里腾出空间，或用 --data 指定其他文件夹。
demo-crowded = 已有 { $count } 个演示在运行。请关闭一个后重试。
demo-loopback = 演示用的回环服务未能启动：{ $reason }
